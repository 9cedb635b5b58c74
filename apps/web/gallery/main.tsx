import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Link, Navigate, Route, Routes } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { setLanguage, useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { ListProvider } from '#kit/web/list/list-frame.tsx'
import { ListFilterChips, ListFilters, ListPager } from '#kit/web/list/list-parts.tsx'
import { useListRows, useListActions } from '#kit/web/list/list-scope.tsx'
import type { SidebarEntry } from '#kit/web/base/menus.ts'
import { startFocusRestore } from '#kit/web/parts/focus-restore.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { setTheme, ThemeProvider, useThemeStore } from '#kit/web/theme/theme.tsx'
import { tokenStorage } from '#kit/web/http/tokens.ts'
import { sample, sampleTree } from './sample.resource.ts'
import './gallery.css'

const verbs = ['', '_add', '_edit', '_delete', '_view', '_export', '_open', '_close', '_settle', '_notify', '_sync']
const menu = (code: string, path: string): SidebarEntry => ({
  id: code,
  code,
  name: code,
  path,
  icon: '',
  external: false,
  meta: {},
  children: [],
})

startFocusRestore()
tokenStorage.set('gallery', 'gallery')
useSession.setState({
  token: 'gallery',
  ready: 'yes',
  permissions: Object.fromEntries(
    [sample, sampleTree].flatMap(({ code }) => verbs.map((verb) => [code + verb, true as const])),
  ),
  menuAll: [menu('sample', '/sample'), menu('sampleTree', '/tree'), menu('user', '/tree')],
})

/** Counts how often a cell is rendered; tests check that opening or typing elsewhere renders none again. */
const drawn = { cells: 0 }
Object.assign(globalThis, { drawn })

const page = {
  intro: { zh: '每种字段一个,用来看样子。', en: 'One field of every type, as a sample.' },
  cells: {
    code: ({ value }: CellProps) => {
      drawn.cells++
      return <code>{String(value)}</code>
    },
  },
}
const alone = { embedded: true }

/** Example of a page that uses parts of a list but draws the rows itself. */
function OwnPage() {
  const t = useLocalize()
  return (
    <ListProvider resource={sample} page={alone}>
      <h1>{t(sample.label)}</h1>
      <ListFilters beside={null} />
      <ListFilterChips />
      <Names />
      <ListPager />
    </ListProvider>
  )
}

function Names() {
  const { shown } = useListRows()
  const { open } = useListActions()
  return (
    <ul className="gallery-names">
      {shown.map((row) => (
        <li key={String(row.id)}>
          <button type="button" onClick={() => open(String(row.id))}>
            {String(row.name)}
          </button>
        </li>
      ))}
    </ul>
  )
}

function Bar() {
  const language = useLanguage()
  const look = useThemeStore((state) => state.name)
  return (
    <nav className="gallery-bar">
      <Link to="/sample">sample</Link>
      <Link to="/tree">tree</Link>
      <Link to="/parts">parts</Link>
      <button type="button" onClick={() => setLanguage(language === 'zh' ? 'en' : 'zh')}>
        {language}
      </button>
      <button type="button" onClick={() => setTheme(look === 'dark' ? 'default' : 'dark')}>
        {look}
      </button>
    </nav>
  )
}

createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
    <ThemeProvider>
      <BrowserRouter>
        <Bar />
        <main className="gallery-main page-scroll">
          <Routes>
            <Route path="/sample" element={<ResourcePage resource={sample} page={page} />} />
            <Route path="/parts" element={<OwnPage />} />
            <Route path="/tree" element={<ResourcePage resource={sampleTree} />} />
            <Route path="*" element={<Navigate to="/sample" replace />} />
          </Routes>
        </main>
      </BrowserRouter>
    </ThemeProvider>
  </QueryClientProvider>,
)
