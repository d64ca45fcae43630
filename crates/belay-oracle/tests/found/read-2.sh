#shell bash
#does delete /t1  (by call 1)
read 2 z <<< a
rid 1 "$z"/t1
