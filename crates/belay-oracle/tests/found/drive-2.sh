#shell bash
#does delete /home/dev/p/b:/tmp  (by call 3)
x=b:/tmp/k E=x
rid 3 "${x:0:-1}"
