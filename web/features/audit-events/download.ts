import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { hasFreshProof } from '#web/lib/requests/fresh-proof.ts'
import { request } from '#web/lib/requests/request.ts'

interface Progress {
  /** Lines so far, the first one included. */
  lines: number
  bytes: number
}

interface DownloadOptions {
  kind: keyof typeof ends
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** CRLF ends a row of a table, whose cells may hold line feeds; a line feed ends a line of JSON. */
const ends = { table: 13, lines: 10 }
/** What has arrived is handed to the browser in parts of this size, which it may keep on disk. */
const partSize = 4 * 1024 * 1024

/** Loads a file while telling how far it is, and saves it under the name that the server gives. */
export async function download(url: string, { kind, signal, onProgress }: DownloadOptions): Promise<Progress> {
  if (!(await hasFreshProof())) throw new ApiProblem(403, 'freshProofRequired')
  const response = await request('GET', url, { signal })
  const progress = { lines: 0, bytes: 0 }
  const blobs: Blob[] = []
  let parts: Uint8Array<ArrayBuffer>[] = []
  let waiting = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { value: part } = (await reader?.read()) ?? {}
    if (!part) break
    for (const byte of part) if (byte === ends[kind]) progress.lines++
    progress.bytes += part.length
    parts.push(part)
    waiting += part.length
    if (waiting > partSize) {
      blobs.push(new Blob(parts))
      parts = []
      waiting = 0
    }
    onProgress({ ...progress })
  }
  save(new Blob([...blobs, ...parts]), fileNameIn(response.headers.get('content-disposition')))
  return progress
}

const fileNameIn = (disposition: string | null) => {
  const [, encoded = 'export'] = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '') ?? []
  return decodeURIComponent(encoded)
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
