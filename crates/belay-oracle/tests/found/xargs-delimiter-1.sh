#shell bash
#does delete /home/dev/p/..  (by call 1)
find a.. | xargs -d a rid 1
