#shell bash
#does delete /home/dev/p/d/c  (by call 1)
PWD=a; PWD=b cd d; rid 1 "$PWD"/c
