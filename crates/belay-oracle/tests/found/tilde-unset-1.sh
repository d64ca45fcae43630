#shell bash
#does delete /home/dev/p/~-  (by call 1)
cd j/..
rid 1 ~-
