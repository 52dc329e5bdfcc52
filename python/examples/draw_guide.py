"""Draws the pictures of docs/python.md into a folder (docs/pictures).

    python3 python/examples/draw_guide.py FOLDER
"""
import pathlib
import sys

import numpy as np

import apart
from arm import OBSTACLE, PLACE, give_way, links

try:
    import matplotlib
except ImportError:
    print("matplotlib is not installed (Debian: python3-matplotlib)", file=sys.stderr)
    sys.exit(77)

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "apart", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})
from matplotlib import pyplot  # noqa: E402

INK, BODY, OTHER, MARK = "#222222", "#3b6ea5", "#b0b0b0", "#c0392b"


def save(figure, folder, name):
    figure.savefig(folder / f"python-{name}.svg", metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)


def outline(pose, half=(0.3, 0.3)):
    corners = np.array([(sx * half[0], sy * half[1], 0, 1) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))])
    return (corners @ pose.T)[:, :2].T


def capsule(pose, radius=0.1):
    """The outline of a link of the arm."""
    turn = np.linspace(np.pi / 2, 3 * np.pi / 2, 20)
    left = np.stack([radius * np.cos(turn), radius * np.sin(turn)], -1)
    right = np.stack([1 - radius * np.cos(turn), -radius * np.sin(turn)], -1)
    around = np.concatenate([left, right])
    return (around @ pose[:2, :2].T + pose[:2, 3]).T


def draw_arm(folder):
    figure, axes = pyplot.subplots(figsize=(5, 3.4))
    way = give_way((0.2, 0.7))
    for i, angles in enumerate(way):
        for pose in links(angles)[0]:
            axes.fill(*capsule(pose), color=BODY, lw=0, alpha=0.12 if i < len(way) - 1 else 0.9)
    axes.fill(*outline(PLACE), color=OTHER)
    poses, _, _ = links(way[-1])
    for result in apart.distance(apart.points([(0, 0, 0), (1, 0, 0)], 0.1), OBSTACLE, poses, PLACE):
        axes.plot(*result.points[:, :2].T, color=MARK, lw=1.5, marker="o", ms=3)
    axes.set(aspect="equal", xlim=(-0.2, 2.1), ylim=(-0.35, 1.5), title="the arm gives way until 0.25 is clear")
    save(figure, folder, "arm")


def draw_mesh(folder):
    gear = apart.read("data/gear.ply")
    bolt = apart.read("data/bolt.ply")
    at = apart.pose((3.0, 1.0, 1.5), rpy=(0.9, 0.7, 0.2))
    result = apart.distance(apart.mesh(gear.vertices, gear.faces), apart.mesh(bolt.vertices, bolt.faces), None, at)
    figure = pyplot.figure(figsize=(5, 3.6))
    axes = figure.add_subplot(projection="3d")
    for mesh, pose, colour in ((gear, np.eye(4), OTHER), (bolt, at, BODY)):
        points = mesh.vertices @ pose[:3, :3].T + pose[:3, 3]
        axes.plot_trisurf(*points.T, triangles=mesh.faces, color=colour, lw=0, rasterized=True)
    axes.plot(*result.points.T, color=MARK, lw=2, marker="o", ms=4, zorder=10)
    axes.set(title=f"distance {result.distance:.3f}", aspect="equal")
    axes.set_axis_off()
    axes.view_init(38, -70)
    axes.set_box_aspect(None, zoom=1.5)
    figure.set_dpi(150)
    save(figure, folder, "mesh")


def draw_batch(folder):
    angles, heights = np.meshgrid(np.linspace(-np.pi, np.pi, 400), np.linspace(0, 4, 250))
    poses = apart.pose(np.stack([1.2 + 0 * heights, heights - 1, 0 * heights], -1),
                       rpy=np.stack([0 * angles, 0 * angles, angles], -1))
    results = apart.distance(apart.box((1, 0.5, 0.5)), apart.box((1, 0.2, 0.2)), None, poses, depth="exact")
    figure, axes = pyplot.subplots(figsize=(5, 3.2))
    limit = float(np.abs(results.distance).max())
    image = axes.imshow(results.distance, cmap="RdBu", vmin=-limit, vmax=limit, origin="lower", aspect="auto",
                        extent=(-np.pi, np.pi, -1, 3))
    axes.contour(angles, heights - 1, results.distance, [0], colors=INK, linewidths=1)
    axes.set(xlabel="angle", ylabel="height", title="signed distance at 100,000 poses")
    figure.colorbar(image)
    save(figure, folder, "batch")


def draw_contact(folder):
    bar, post = apart.box((0.8, 0.08, 0.2)), apart.cylinder(1, 0.2)
    swing = apart.Motion.velocity(apart.pose((-2.2, 0.8, 0)), (4, -0.5, 0), (0, 0, 9))
    contact = apart.first_contact(bar, post, swing)
    figure, axes = pyplot.subplots(figsize=(5, 2.8))
    for time in np.linspace(0, contact.time, 9):
        axes.fill(*outline(swing.pose(time), (0.8, 0.08)), color=BODY, alpha=0.15 if time < contact.time else 0.9)
    axes.add_patch(pyplot.Circle((0, 0), 0.2, color=OTHER))
    axes.plot(*contact.result.point_a[:2], color=MARK, marker="o", ms=5)
    axes.set(aspect="equal", xlim=(-3.1, 0.8), ylim=(-0.6, 1.6), title=f"first contact at {contact.time:.6f}")
    save(figure, folder, "contact")


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    for draw in (draw_arm, draw_mesh, draw_batch, draw_contact):
        draw(out)
        print(f"drawn: {draw.__name__[5:]}")
