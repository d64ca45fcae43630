#shell bash
#does delete /home/dev/p/d:/home/dev/s/*  (by call 1)
x=d:~/s E=x
rid 1 "$x"/*
