// Things, and the shapes of them.
#include "thing.h"

#include "base/vec.h"

#include <stdlib.h>

thing thing_surface(const surface* s, const apart_pose* pose) {
    thing t = {.count = 1};
    t.piece[0].surface = s;
    t.piece[0].pose = *pose;
    return t;
}

thing thing_body(const body* b, const apart_pose* pose) {
    thing t = {.count = 1};
    t.piece[0].body = b;
    t.piece[0].pose = *pose;
    return t;
}

apart_pose pose_product(const apart_pose* outer, const apart_pose* inner) {
    apart_pose p;
    p.rotation = rng_product(&outer->rotation, &inner->rotation);
    p.translation = vec3_add(mat3_mul(&outer->rotation, inner->translation), outer->translation);
    return p;
}

static bool is_identity(const apart_pose* p) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (p->rotation.m[i][j] != (i == j)) return false;
    return vec3_is_zero(p->translation);
}

void thing_add(thing* to, const thing* t, const apart_pose* pose) {
    for (int i = 0; i < t->count; i++) {
        if (to->count == MOST_PIECES) abort();
        piece* p = &to->piece[to->count++];
        *p = t->piece[i];
        if (is_identity(pose)) continue;
        if (!is_identity(&p->pose)) to->loose = 1;
        p->pose = pose_product(pose, &t->piece[i].pose);
    }
    to->loose = fmax(to->loose, t->loose);
}
