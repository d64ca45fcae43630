#shell bash
#does delete /home/dev/p/a.t1  (by call 1)
BASH_ARGV0=a; rid 1 "$0".t1
