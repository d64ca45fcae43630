#shell bash
#does delete /tmp/k/t2  (by call 2)
rid 2 "$(< l)"/t2
