"""Work cut into blocks: pure, named by what they follow from, kept in a folder, done by anybody in any order."""

from tricktake.blocks.block import Block, Key, Work, files_in
from tricktake.blocks.run import Keeping, Share, ShareDone, run
from tricktake.blocks.store import BlockDiffers, BlockStore

__all__ = ["Block", "BlockDiffers", "BlockStore", "Keeping", "Key", "Share", "ShareDone", "Work", "files_in", "run"]
