#if os(Windows)
#error("APIBaseKit supports Apple systems, Linux and Android, not Windows.")
#endif
