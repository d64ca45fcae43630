#shell bash
#does delete /home/dev/p/ab  (by call 1)
x='éab'; rid 1 "${x#??}"
