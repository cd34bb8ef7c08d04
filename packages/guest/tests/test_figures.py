import base64
import contextlib
import importlib
import io
import struct
import sys
import unittest

try:
    import matplotlib
    import matplotlib.pyplot as plt

    from atoll_guest.kernel import figures
except ImportError:
    matplotlib = None


def size_of(bundle: dict[str, object]) -> tuple[int, int]:
    png = base64.b64decode(str(bundle["image/png"]))
    assert png.startswith(b"\x89PNG")
    return struct.unpack(">II", png[16:24])


@unittest.skipIf(matplotlib is None, "matplotlib is not installed")
class Figures(unittest.TestCase):
    def setUp(self) -> None:
        before = matplotlib.get_backend()
        self.addCleanup(matplotlib.use, before)
        self.addCleanup(plt.close, "all")
        self.addCleanup(plt.ioff)
        # In a sandbox the package's files cannot be seen: the module is found among those already loaded.
        paths = list(sys.path)
        sys.path[:] = [path for path in paths if "guest" not in path]
        importlib.invalidate_caches()
        try:
            matplotlib.use("module://atoll_guest.kernel.figures")
        finally:
            sys.path[:] = paths
        self.shown: list[dict[str, object]] = []
        figures.publish = self.shown.append
        self.addCleanup(setattr, figures, "publish", None)

    def test_show_publishes_every_open_figure_and_closes_it(self) -> None:
        for values in ([1, 2], [3, 4]):
            plt.figure()
            plt.plot(values)
        plt.show(block=True)
        self.assertEqual([sorted(bundle) for bundle in self.shown], [["image/png", "text/plain"]] * 2)
        self.assertEqual(self.shown[0]["text/plain"], "Figure(640x480)")
        self.assertEqual(plt.get_fignums(), [])
        figures.flush_figures()
        self.assertEqual(len(self.shown), 2)

    def test_what_is_still_open_comes_out_at_the_end_of_the_cell(self) -> None:
        plt.plot([1, 2])
        figures.flush_figures()
        width, height = size_of(self.shown[0])
        self.assertTrue(400 < width < 704 and 300 < height < 528, (width, height))
        self.assertEqual(plt.get_fignums(), [])

    def test_a_resolution_that_was_asked_for_is_kept(self) -> None:
        plt.figure(dpi=220).add_subplot()
        plt.figure().add_subplot()
        figures.flush_figures()
        self.assertGreater(size_of(self.shown[0])[0], 1.9 * size_of(self.shown[1])[0])

    def test_interactive_mode_shows_a_figure_once(self) -> None:
        plt.ion()
        figure, axes = plt.subplots()
        axes.plot([1, 2])
        axes.set_title("x")
        plt.draw()
        plt.show()
        figures.flush_figures()
        self.assertEqual(len(self.shown), 1)

    def test_a_figure_can_show_itself(self) -> None:
        figure = plt.figure()
        other = plt.figure()
        figure.show()
        self.assertEqual((len(self.shown), plt.get_fignums()), (1, [other.number]))

    def test_a_figure_that_cannot_be_drawn_says_so_and_is_closed(self) -> None:
        plt.figure().suptitle("$\\nonsense$")
        plt.figure().add_subplot()
        stderr = io.StringIO()
        with contextlib.redirect_stderr(stderr):
            figures.flush_figures()
        self.assertIn("Figure 1 could not be drawn: ValueError", stderr.getvalue())
        self.assertEqual((len(self.shown), plt.get_fignums()), (1, []))

    def test_a_huge_figure_is_shown_smaller(self) -> None:
        self.addCleanup(setattr, figures, "_MAX_PIXELS", figures._MAX_PIXELS)
        figures._MAX_PIXELS = 1_000_000
        plt.figure(figsize=(300, 300))
        _, axes = plt.subplots()
        axes.text(3000, 0, "far away", clip_on=False)
        figures.flush_figures()
        for bundle in self.shown:
            width, height = size_of(bundle)
            self.assertTrue(300_000 < width * height <= 1_000_000, (width, height))
        self.assertEqual(len(self.shown), 2)

    def test_a_figure_displayed_as_a_value_is_not_shown_again(self) -> None:
        from IPython.core.formatters import DisplayFormatter

        formatter = DisplayFormatter()
        figures.install_formatter(formatter)
        figure, axes = plt.subplots()
        data, _ = formatter.format(figure)
        self.assertTrue(data["image/png"].startswith(b"\x89PNG"))
        figures.flush_figures()
        self.assertEqual((self.shown, plt.get_fignums()), ([], []))
        self.assertIn("image/png", formatter.format(figure)[0])

    def test_a_displayed_figure_that_changes_is_shown_again(self) -> None:
        figure, axes = plt.subplots()
        figures.render_png(figure)
        axes.plot([1, 2])
        figures.flush_figures()
        self.assertEqual(len(self.shown), 1)

    def test_an_interrupt_while_drawing_gets_through(self) -> None:
        figure = plt.figure()

        def stop(*args: object) -> None:
            raise KeyboardInterrupt

        figure.draw = stop
        with self.assertRaises(KeyboardInterrupt):
            figures.flush_figures()
        self.assertEqual(plt.get_fignums(), [])


if __name__ == "__main__":
    unittest.main()
