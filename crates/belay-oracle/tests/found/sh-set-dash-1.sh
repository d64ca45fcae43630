#shell sh
#does delete /home/dev/p/-n/t1  (by call 1)
set d; ! set - -n || rid 1 "$1"/t1
