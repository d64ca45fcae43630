#shell bash
#does delete /t1  (by call 1)
getopts a:b x z=$OPTARG
rid 1 "${x:1}"/t1
