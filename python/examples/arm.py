"""A two-joint arm gives way to an obstacle: the slope of the distance times the arm's Jacobian says how the distance
changes with the joint angles (Gilbert, Johnson, Keerthi 1988, section II)."""
import numpy as np

import apart

BAR = apart.points([(0, 0, 0), (1, 0, 0)], radius=0.1)  # a link lies along its own x axis and turns about z
OBSTACLE, PLACE = apart.box((0.3, 0.3, 0.5)), apart.pose((1.4, 0.9, 0), quat_wxyz=(3, 0, 0, 1))


def links(q):
    """The poses of both links, (2, 4, 4), and how they move with the joints: d origin / dq and d turn / dq."""
    elbow = np.array([np.cos(q[0]), np.sin(q[0]), 0])
    poses = apart.pose([(0, 0, 0), elbow], rpy=[(0, 0, q[0]), (0, 0, q[0] + q[1])])
    linear = np.zeros((2, 3, 2))
    linear[1, :, 0] = -elbow[1], elbow[0], 0
    angular = np.zeros((2, 3, 2))
    angular[0, 2], angular[1, 2] = (1, 0), (1, 1)
    return poses, linear, angular


def give_way(q, clearance=0.25):
    """Joint angles from q on, step by step, until both links are as far from the obstacle as asked for."""
    way = [np.array(q, float)]
    for _ in range(30):
        poses, linear, angular = links(way[-1])
        slope = apart.gradient(BAR, OBSTACLE, poses, PLACE)
        near = int(np.argmin(slope.result.distance))
        missing = clearance - slope.result.distance[near]
        if missing <= 0:
            return way
        gain = slope.a.linear[near] @ linear[near] + slope.a.angular[near] @ angular[near]
        way.append(way[-1] + min(0.1, missing + 1e-6) * gain / (gain @ gain))
    raise RuntimeError("no way out")


if __name__ == "__main__":
    for angles in give_way((0.2, 0.7)):
        found = apart.distance(BAR, OBSTACLE, links(angles)[0], PLACE, depth="exact")
        print(f"shoulder {angles[0]:7.4f}  elbow {angles[1]:7.4f}  distances {found.distance.round(4)}")
