#shell bash
#does delete /home/dev/p/0  (by call 1)
z=d GROUPS="$z"; rid 1 "$GROUPS"
