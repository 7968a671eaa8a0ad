/** Preloaded into a child process: when its parent exits in any way, the child gets SIGINT. */
process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
// The channel alone must not keep a child alive that has finished.
process.channel?.unref()
