#shell bash
#does read /t2  (by call 2)
{
] &y="$([ &&echo b)"
}
show 2 "$y"/t2
