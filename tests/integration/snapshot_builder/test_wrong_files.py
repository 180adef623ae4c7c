"""Files that are whole, and not the right ones; and a copy that must be made again."""

import shutil

from brskills_server.adapters.snapshots.folder import kept_names
from tests.integration.snapshot_builder.building import DAY, make_copy, publish
from tests.register.company import companies


def test_a_file_under_another_ones_name(tmp_path):
    month = publish(tmp_path / "in", companies(11, 30), DAY)
    shutil.copy(month.folder / "Empresas0.zip", month.folder / "Empresas3.zip")
    code, said = make_copy(tmp_path / "copy", "build", month.folder)
    assert (code, said) == (1, "Empresas3.zip has the same content as Empresas0.zip\n")


def test_a_copy_is_made_anew_where_that_is_asked_for(tmp_path):
    month = publish(tmp_path / "in", companies(11, 30), DAY)
    copy = tmp_path / "copy"
    assert make_copy(copy, "build", month.folder)[0] == 0
    code, said = make_copy(copy, "build", month.folder)
    assert (code, "--anew makes another" in said) == (0, True)
    assert make_copy(copy, "build", month.folder, "--anew")[0] == 0
    assert kept_names(copy) == [f"{DAY}-2", str(DAY)]


def test_what_is_made_is_for_the_service_alone(tmp_path):
    month = publish(tmp_path / "in", companies(11, 30), DAY)
    assert make_copy(tmp_path / "copy", "build", month.folder)[0] == 0
    made = [tmp_path / "copy" / str(DAY), *(tmp_path / "copy" / str(DAY)).iterdir()]
    assert all(path.stat().st_mode & 0o007 == 0 for path in made)
