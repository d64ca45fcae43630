#shell bash
#does delete /home/dev/t2  (by call 2)
cd
cd d
rid 2 "$PWD"/t2
