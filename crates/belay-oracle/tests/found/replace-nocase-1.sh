#shell bash
#does delete /home/dev/q  (by call 1)
shopt -s nocasematch
x=A
rid 1 "${x/a/../q}"
