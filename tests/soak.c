// The long campaign: `soak [PAIRS [FIRST_SEED]]` judges that many random pairs by every method against the oracle,
// without a depth, with a bound of it and with the exact one, on all cores, prints a census and the worst errors of
// each, and exits with 1 if any answer was wrong.
#include "certificate.h"
#include "workers.h"

// Seeds of the tests lie below.
#define FIRST_SEED 1000000000u

// Steps of a pair that is followed.
#define STEPS 4

// One more query with random options.
static apart_query query_random(rng* r, const oracle_answer* truth) {
    apart_query q = apart_query_default();
    q.method = (apart_method)rng_below(r, METHODS);
    q.depth = (apart_depth)rng_below(r, DEPTHS);
    double size = (double)truth->size;
    switch (rng_below(r, 3)) {
    case 0:
        q.relative_error = rng_unit(r);
        break;
    case 1:
        q.absolute_error = size * rng_magnitude(r, -40, -1);
        break;
    default:
        q.cutoff = size * rng_unit(r);
        break;
    }
    return q;
}

// One kind of question by every method: cold, then now and then again from the answer.
static void judge_depth(const trial* t, rng* r, int depth, census* c) {
    c->placed[t->pair.placement]++;
    for (int m = 0; m < METHODS; m++) {
        apart_query q = apart_query_default();
        apart_cache cache = {0};
        q.method = (apart_method)m;
        q.depth = (apart_depth)depth;
        trial_judge(t, &q, &cache, c);
        if (rng_chance(r, 0.25)) trial_judge(t, &q, &cache, c);
    }
}

// The second body moves on, by anything up to its own size, and the cache goes with it.
static void judge_steps(trial* t, rng* r, census* c) {
    apart_query q = apart_query_default();
    apart_cache cache = {0};
    q.depth = APART_DEPTH_EXACT;
    for (int step = 0; step < STEPS; step++) {
        trial_judge(t, &q, &cache, c);
        double most = rng_magnitude(r, -40, -1), size = (double)t->truth.size;
        apart_vec3 shift = rng_in_cube(r, most * size), axis = rng_in_cube(r, most);
        apart_mat3 turn = rng_matrix(1, axis.x, axis.y, axis.z);
        t->pair.pose_b.rotation = rng_product(&turn, &t->pair.pose_b.rotation);
        t->pair.pose_b.translation.x += shift.x;
        t->pair.pose_b.translation.y += shift.y;
        t->pair.pose_b.translation.z += shift.z;
        trial_ask_oracle(t);
        trial_ask_depth(t);
    }
}

static void judge_pair(uint64_t seed, void* found) {
    census* c = found; // one for each depth
    static trial t;
    rng r = rng_seed(~seed);
    pair_random(&t.pair, seed);
    if (!trial_open(&t)) {
        c[0].wrong++;
        return;
    }
    trial_ask_depth(&t);
    for (int depth = 0; depth < DEPTHS; depth++) judge_depth(&t, &r, depth, &c[depth]);
    apart_query q = query_random(&r, &t.truth);
    trial_judge(&t, &q, NULL, &c[q.depth]);
    if (rng_chance(&r, 0.25)) judge_steps(&t, &r, &c[APART_DEPTH_EXACT]);
    trial_close(&t);
}

static long report(void* const* found, int workers) {
    static census all[DEPTHS];
    long wrong = 0;
    for (int depth = 0; depth < DEPTHS; depth++) {
        for (int k = 0; k < workers; k++) census_add(&all[depth], (const census*)found[k] + depth);
        printf("depth %s\n", depth_names[depth]);
        census_print(stdout, &all[depth]);
        wrong += all[depth].wrong;
    }
    return wrong;
}

int main(int argc, char** argv) {
    const campaign_plan plan = {"soak", 1000000, FIRST_SEED, DEPTHS * sizeof(census), judge_pair, report};
    return campaign_run(&plan, argc, argv);
}
