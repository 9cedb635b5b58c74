/**
 * What to prefetch for a page: indexes into `files` and, for a list, its resource, the path of its rows and whether
 * they are paged.
 */
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
 * Prefetches the page of the address. Its source is copied into the page, so it must not use anything outside of
 * itself. The calls are the same as those of kit/web/http/http.ts, which takes over their answers
 * (kit/web/http/prefetched.ts).
 */
export function prefetchFromInlineScript({ shell, files, pages, storagePrefix, basic, tokenTime, isMock }: Plan): void {
  try {
    const recall = (name: string) =>
      JSON.parse(sessionStorage.getItem(storagePrefix + name) ?? localStorage.getItem(storagePrefix + name) ?? 'null')
    const kept = recall('token')
    if (!kept?.content) return
    const path = location.pathname === '/' ? '/wel/index' : location.pathname
    const [own = [], resource, rows, isPaged] = pages[path.replace(/\/\d+(?=\/|$)/g, '/:')] ?? []

    const fetchFile = (file: string) => {
      const link = document.createElement('link')
      if (file.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style' })
      else link.rel = 'modulepreload'
      link.crossOrigin = ''
      // With lower priority than what the page itself loads.
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
        const call: { answer: Promise<Response>; stop: AbortController; body?: unknown } = { answer, stop }
        // Parses the answer at once for code that renders before it asks. A failure is left to the code that takes the
        // answer over.
        const read = async () => {
          const response = await answer
          if (accept === '*/*' && response.ok) call.body = await response.clone().json()
        }
        read().catch(() => {})
        answers[url] = call
      }
      ask('/api/blade-system/menu/held')
      // The live stream opens before the list is read, so that no change in between is missed.
      ask('/api/live', 'text/event-stream')
      if (resource) {
        // With a query in the address, the page asks for other rows.
        // A phone asks for more rows at once, since it has no pages (kit/web/list/use-endless-list.ts).
        const size = innerWidth < 768 ? 30 : 10
        if (!location.search) ask(rows + (isPaged ? `?current=1&size=${size}` : ''))
        ask(`/api/kit/settings/list.${resource}`)
      }
      Object.assign(window, { prefetched: { token: kept.content, language, since: performance.now(), answers } })
    }

    shell.forEach(fetchFile)
    for (const number of own) fetchFile(files[number] as string)
  } catch {
    // Nothing is lost but time: the modules fetch everything themselves.
  }
}
