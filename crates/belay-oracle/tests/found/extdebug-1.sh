#shell bash
#does delete /home/dev/p/b  (by call 1)
x=b; shopt -s extdebug; trap '[[ $BASH_COMMAND != x=a ]]' DEBUG; x=a; rid 1 "$x"
