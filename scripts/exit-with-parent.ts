/** Preloaded into a child process: a parent that dies, however it dies, takes the child with it, by the child's own orderly way out. */
process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
// The channel alone must not keep a child alive that has finished.
process.channel?.unref()
