#shell bash
#does delete /home/dev/p/'b'  (by call 1)
shopt -s compat42; x=a; rid 1 "${x/a/'b'}"
