#shell bash
#does delete /home/dev/p/d/e  (by call 2)
wait -p x
rid 2 "${x-d/e}"
