"""What the state keeps of the last cycle, by key."""

# Of the ROOT that was written: short hashes of its lines, the hash of its body, and the hash of what it was built from.
# They tell lines written by hand, and lines taken out.
ROOT_LINES = "rootLines"
ROOT_BODY = "rootBody"
ROOT_SOURCE = "rootSource"
# The hash of the working state that step 0 kept last: an unchanged one is not kept again.
WORKING = "workingSnapshot"
