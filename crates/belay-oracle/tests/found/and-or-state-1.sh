#shell bash
#does delete /t1  (by call 1)
[ d ] ||x=../q
rid 1 "$x"/t1
