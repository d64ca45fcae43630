#shell bash
#does delete /t2  (by call 2)
{
y=/tmp/k
} > o1
env -u y bash -c 'rid 2 "$y"/t2'
