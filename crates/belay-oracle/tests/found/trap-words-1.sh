#shell bash
#does delete /home/dev/p/b  (by call 1)
set -- a; trap 'rid 1 "$1"' USR1; set -- b; kill -USR1 $$; set -- c
