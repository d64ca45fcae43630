#shell sh
#does delete /t2  (by call 2)
x=$(shift 2; echo A)
rid 2 "$x"/t2
