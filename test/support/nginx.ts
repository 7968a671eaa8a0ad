/** Debian's nginx as a balancer in front of gateways, with the directives of docs/operations.md. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './anvil.ts'

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

type Options = {
  /** Time for which a gateway may send nothing before nginx gives up its answer. Default: 60, as that of nginx. */
  readTimeoutSeconds?: number
}

/** @param ports of the gateways */
export async function startNginx(ports: readonly number[], { readTimeoutSeconds = 60 }: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'claim-financing-nginx-'))
  const port = await freePort()
  await writeFile(join(folder, 'nginx.conf'), configuration({ folder, port, ports, readTimeoutSeconds }))
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const exited = once(child, 'close').catch((cause) => {
    throw new Error('nginx cannot be started; on Debian: apt-get install nginx-light', { cause })
  })
  await Promise.race([
    listening(port),
    exited.then(() => Promise.reject(new Error(`nginx did not start: ${complaints}`))),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    complaints: () => complaints,
    stop: async () => {
      child.kill('SIGQUIT')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

type Configuration = { folder: string; port: number; ports: readonly number[]; readTimeoutSeconds: number }

function configuration({ folder, port, ports, readTimeoutSeconds }: Configuration): string {
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  gzip on;
  gzip_proxied any;
  gzip_min_length 1024;
  gzip_types application/json application/graphql-response+json application/problem+json text/csv text/plain text/css text/javascript;
  ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  upstream gateway {
    ${ports.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join('\n    ')}
    keepalive 64;
    keepalive_timeout 4s;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://gateway;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_connect_timeout 1s;
      proxy_read_timeout ${readTimeoutSeconds}s;
      proxy_next_upstream error timeout;
    }
  }
}
`
}

/** Resolves once the port accepts connections. */
async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
  }
}
