#shell bash
#does delete /home/dev/p/t  (by call 1)
echo 'rid 1 "t$BASH_SUBSHELL"' | sh
