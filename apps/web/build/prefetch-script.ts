/** Numbers of the files of a page; for a list its family, the path of its rows, and whether they come in pages. */
export type PagePrefetchPlan = readonly [files: number[], family?: string, path?: string, isPaged?: boolean]

type Plan = {
  shell: string[]
  files: string[]
  pages: Record<string, PagePrefetchPlan>
  storagePrefix: string
  basic: string
  tokenTime: number
  isMock: boolean
}

/**
 * Stands in the page as it is written here, so it uses nothing from around it. What it asks of the server is asked as
 * kit/web/http.ts would ask, which takes the answers over (kit/web/prefetched.ts).
 */
export function prefetchFromInlineScript({ shell, files, pages, storagePrefix, basic, tokenTime, isMock }: Plan): void {
  try {
    const recall = (name: string) =>
      JSON.parse(sessionStorage.getItem(storagePrefix + name) ?? localStorage.getItem(storagePrefix + name) ?? 'null')
    const kept = recall('token')
    if (!kept?.content) return
    const path = location.pathname === '/' ? '/wel/index' : location.pathname
    const [own = [], family, rows, isPaged] = pages[path.replace(/\/\d+(?=\/|$)/g, '/:')] ?? []
    const fetchFile = (file: string) => {
      const link = document.createElement('link')
      if (file.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style' })
      else link.rel = 'modulepreload'
      link.crossOrigin = ''
      // After what the page itself has asked for.
      link.fetchPriority = 'low'
      link.href = `/${file}`
      document.head.append(link)
    }
    const isYoung = Date.now() - kept.datetime < tokenTime * 1000
    const mayAsk = () => isYoung && !isMock && !recall('lock') && !/^\/(login|lock|40|50)/.test(path)
    if (mayAsk()) {
      const language = recall('language')?.content === 'en' ? 'en' : 'zh-CN'
      const answers: Record<string, unknown> = {}
      const ask = (url: string, accept = '*/*') => {
        const stop = new AbortController()
        const headers = {
          'Accept-Language': language,
          Authorization: basic,
          'Blade-Auth': `bearer ${kept.content}`,
          Accept: accept,
        }
        const answer = fetch(url, { headers, signal: stop.signal, credentials: 'include' })
        const asked: { answer: Promise<Response>; stop: AbortController; body?: unknown } = { answer, stop }
        // Read as soon as it is here, for who draws before anybody has asked. Whoever takes the answer over hears of a
        // failure, and nobody else has to.
        const read = async () => {
          const response = await answer
          if (accept === '*/*' && response.ok) asked.body = await response.clone().json()
        }
        read().catch(() => {})
        answers[url] = asked
      }
      ask('/api/blade-system/menu/held')
      // A list that hears of changes from before it was read misses none.
      ask('/api/live', 'text/event-stream')
      if (family) {
        // Whose address says more than the path asks for other rows.
        if (!location.search) ask(rows + (isPaged ? '?current=1&size=10' : ''))
        ask(`/api/kit/settings/list.${family}`)
      }
      Object.assign(window, { asked: { token: kept.content, language, since: performance.now(), answers } })
    }
    shell.forEach(fetchFile)
    for (const number of own) fetchFile(files[number] as string)
  } catch {
    // Nothing is lost but time: the modules ask for all of it themselves.
  }
}
