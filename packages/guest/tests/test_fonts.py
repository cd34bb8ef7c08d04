import io
import os
import unittest
import warnings

try:
    import matplotlib
    import matplotlib.pyplot as plt
    from matplotlib import font_manager

    from atoll_guest.kernel import fonts
except ImportError:
    matplotlib = None

_has_font = matplotlib is not None and any(os.path.exists(path) for path in fonts._FONTS)


@unittest.skipUnless(_has_font, "no matplotlib, or no font with Chinese signs")
class Fonts(unittest.TestCase):
    def setUp(self) -> None:
        before = font_manager.fontManager
        self.addCleanup(setattr, font_manager, "fontManager", before)
        self.addCleanup(before.__dict__.pop, "_find_fonts_by_props", None)
        self.addCleanup(plt.close, "all")
        self.addCleanup(matplotlib.rcdefaults)
        font_manager._load_fontmanager(try_read_cache=True)

    def draw(self) -> list[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            plt.figure()
            plt.title("每月销售额 ¥ and plain words")
            plt.savefig(io.BytesIO())
        return [str(warning.message) for warning in caught]

    def test_chinese_is_drawn_whatever_font_is_asked_for(self) -> None:
        self.assertTrue(any("missing from" in text for text in self.draw()), "the test sees no difference")
        fonts.add_wide_font()
        self.assertEqual(self.draw(), [])
        matplotlib.rcParams["font.family"] = ["DejaVu Serif"]
        self.assertEqual(self.draw(), [])

    def test_the_names_of_other_machines_stand_for_it(self) -> None:
        fonts.add_wide_font()
        matplotlib.rcParams["font.sans-serif"] = ["SimHei"]
        with self.assertNoLogs("matplotlib.font_manager", level="WARNING"):
            self.assertEqual(self.draw(), [])


if __name__ == "__main__":
    unittest.main()
