#shell bash
#does delete /home/dev/p/b  (by call 1)
x=$(cd nope 2>&1); rid 1 "${x:0:1}"
