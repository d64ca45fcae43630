#shell sh
#does delete /home/dev/p/t2  (by call 2)
rid 2 "$(dirname d)"/t2
