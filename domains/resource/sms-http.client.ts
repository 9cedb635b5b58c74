type Call = { url: string; body: string; contentType: string; headers?: Record<string, string>; timeoutMs: number }

/** Posts and reads JSON whatever the status: providers say what was wrong in the body. */
export async function post({ url, body, contentType, headers = {}, timeoutMs }: Call): Promise<Record<string, any>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': contentType, accept: 'application/json', ...headers },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`HTTP ${response.status}: ${text.slice(0, 200)}`)
  }
}
