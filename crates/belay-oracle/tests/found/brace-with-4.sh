#shell bash
#does delete /home/dev/s/t1  (by call 1)
rid 1 {b,~/s}/t1
