"""Beliefs: kernels, exact Gaussian processes and how they are fitted.

Importing this package configures JAX the way all of Counsel needs it: 64-bit numbers, and compiled
code kept on disk so that the next process starts warm. The folder is `$COUNSEL_CACHE`, else the
user's cache folder, unless others can write to it (cache_folder.py); a folder that the user has
already set for JAX is left alone.
"""

import jax

from counsel.models import cache_folder

jax.config.update("jax_enable_x64", True)

if jax.config.jax_compilation_cache_dir is None:  # type: ignore[attr-defined]
    _folder = cache_folder.chosen()
    if _folder is not None:
        jax.config.update("jax_compilation_cache_dir", str(_folder))
    # Most of our programs are small, and each is compiled once per padding bucket: keep them all.
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
