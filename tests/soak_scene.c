// The long campaign for scenes: `soak_scene [SCENES [FIRST_SEED]]` makes random scenes of bodies of every kind, changes
// them hundreds of times, and judges what they answer by asking about every pair by itself, bit by bit: pairs within a
// clearance, also below 0, nearest partners, the closest pair, contacts of bodies in motion; on one to four threads,
// and of the same bodies that came another way. Prints what was asked, and exits with 1 if any answer was wrong.
#include "scene_twin.h"
#include "workers.h"

#include <stdio.h>
#include <stdlib.h>

// Seeds of the tests lie below.
#define FIRST_SEED 3000000000u
#define MOST 300

typedef struct campaign {
    twin_census census;
    long scenes, changes, wrong;
} campaign;

static const apart_query queries[] = {
    {0}, {.depth = APART_DEPTH_EXACT}, {.relative_error = 0.2}, {.depth = APART_DEPTH_BOUND}, {.absolute_error = 0.01}};

static int judge_history(const scene_twin* t) {
    scene_twin* fresh = twin_open(MOST);
    twin_report here = {0}, there = {0};
    int wrong = !twin_copy(t, fresh);
    wrong += twin_ask_within(t, 0.2, NULL, 1, &here) != APART_OK;
    wrong += twin_ask_within(fresh, 0.2, NULL, 3, &there) != APART_OK;
    wrong += here.hash != there.hash;
    free(here.pair);
    free(there.pair);
    twin_close(fresh);
    return wrong;
}

static int judge_answers(const scene_twin* t, rng* r, double half, twin_census* c) {
    const apart_query* query = &queries[rng_below(r, 5)];
    const bool below = query->depth != APART_DEPTH_NONE && rng_chance(r, 0.3);
    int wrong = twin_judge_tree(t);
    wrong += twin_judge_within(t, below ? -0.1 : rng_uniform(r, 0, 0.5), query, rng_between(r, 1, 4), c);
    for (int k = 0; k < 5 && t->ids > 0; k++) wrong += twin_judge_nearest(t, rng_below(r, t->ids), query, c);
    wrong += twin_judge_closest(t, query, c);
    if (rng_chance(r, 0.2)) wrong += twin_judge_contacts(t, r, half, c);
    return wrong;
}

static void judge_seed(uint64_t seed, void* found) {
    campaign* all = found;
    rng r = rng_seed(seed);
    scene_twin* t = twin_open(MOST);
    const double half = rng_uniform(&r, 2, 12);
    if (!twin_shapes[0]) twin_shapes_open();
    int wrong = 0;
    for (int round = 0; round < 4; round++) {
        int changes = rng_between(&r, 1, 200);
        for (int i = 0; i < changes; i++) wrong += !twin_change(t, &r, half);
        wrong += judge_answers(t, &r, half, &all->census);
        all->changes += changes;
    }
    wrong += judge_history(t);
    if (wrong) fprintf(stderr, "soak_scene: %d wrong answers, seed %llu\n", wrong, (unsigned long long)seed);
    all->wrong += wrong;
    all->scenes++;
    twin_close(t);
}

static long report(void* const* found, int workers) {
    campaign sum = {0};
    for (int i = 0; i < workers; i++) {
        const campaign* c = found[i];
        sum.scenes += c->scenes, sum.changes += c->changes, sum.wrong += c->wrong;
        sum.census.within += c->census.within, sum.census.beyond += c->census.beyond;
        sum.census.overlaps += c->census.overlaps, sum.census.nearest += c->census.nearest;
        sum.census.closest += c->census.closest, sum.census.contacts += c->census.contacts;
        sum.census.free_pairs += c->census.free_pairs;
    }
    printf("%ld scenes, %ld changes: %d pairs within, %d beyond, %d overlap; %d nearest, %d closest; %d contacts, %d "
           "free; %ld wrong\n",
           sum.scenes, sum.changes, sum.census.within, sum.census.beyond, sum.census.overlaps, sum.census.nearest,
           sum.census.closest, sum.census.contacts, sum.census.free_pairs, sum.wrong);
    return sum.wrong;
}

int main(int argc, char** argv) {
    const campaign_plan plan = {"soak_scene", 2000, FIRST_SEED, sizeof(campaign), judge_seed, report};
    return campaign_run(&plan, argc, argv);
}
