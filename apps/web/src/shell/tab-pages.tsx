import { Activity, createElement, lazy, Suspense, useMemo } from 'react'
import type { ComponentType } from 'react'
import { Route, Routes, useLocation, useNavigate } from 'react-router'
import { useSession } from '#kit/web/session/session.ts'
import { TabContext } from '#kit/web/tab.ts'
import { entryOf } from '../modules.ts'
import type { Entry } from '../modules.ts'
import { useT } from '../words/index.ts'
import { PageBoundary } from './page-boundary.tsx'
import { close, entitle, kept, renew, useTabs } from './tabs.ts'
import type { OpenTab } from './tabs.ts'

const pages = new Map<Entry, ComponentType>()
/** Pages that were here before they were shown; they are drawn with the shell, for a lazy one always comes after it. */
const fetched = new Map<Entry, ComponentType>()

async function loadResource(entry: Extract<Entry, { resource: unknown }>) {
  const [{ ResourcePage }, { resource, intro }] = await Promise.all([
    import('#kit/web/resource-page.tsx'),
    entry.resource(),
  ])
  const page = { intro }
  return { default: () => <ResourcePage resource={resource} page={page} /> }
}

const loadPage = (entry: Entry): Promise<{ default: ComponentType }> =>
  'page' in entry ? entry.page() : loadResource(entry)

function pageOf(entry: Entry): ComponentType {
  const known = pages.get(entry)
  if (known) return known
  const page =
    fetched.get(entry) ??
    lazy(() =>
      loadPage(entry).catch((reason: unknown) => {
        // A failed load must not be remembered, or trying again would fail for ever.
        pages.delete(entry)
        throw reason
      }),
    )
  pages.set(entry, page)
  return page
}

/**
 * Starts to fetch the page of an address before anybody knows whether it may be shown; the way there is long enough.
 * Comes back when the page is here or failed to come.
 */
export async function prefetchPage(pathname: string): Promise<void> {
  const entry = entryOf(pathname)
  if (!entry) return
  const page = await loadPage(entry).catch(() => undefined)
  if (page) fetched.set(entry, page.default)
}

/** The pages of the open tabs. Hidden ones keep what was typed and where one had scrolled to. */
export function TabPages() {
  const tabs = useTabs()
  const ready = useSession((session) => session.ready)
  const { pathname } = useLocation()
  if (ready !== 'yes') return <PageSkeleton />
  return kept(tabs).map((tab) => (
    <Activity key={`${tab.key}#${tab.round}`} mode={tab.key === pathname ? 'visible' : 'hidden'}>
      <TabPage tab={tab} active={tab.key === pathname} />
    </Activity>
  ))
}

function TabPage({ tab, active }: { tab: OpenTab; active: boolean }) {
  const navigate = useNavigate()
  const entry = entryOf(tab.key)
  const { key } = tab
  const context = useMemo(
    () => ({
      key,
      active,
      setTitle: (title: string) => entitle(key, title),
      close: () => {
        const to = close(key)
        if (to) void navigate(to)
      },
    }),
    [key, active, navigate],
  )
  if (!entry) return null
  return (
    <TabContext value={context}>
      <section className="page-scroll" tabIndex={-1}>
        <PageBoundary onRetry={() => renew(key)}>
          <Suspense fallback={<PageSkeleton />}>
            <Routes location={tab.address}>
              <Route path={entry.path} element={createElement(pageOf(entry))} />
            </Routes>
          </Suspense>
        </PageBoundary>
      </section>
    </TabContext>
  )
}

function PageSkeleton() {
  const t = useT()
  return (
    <div className="page-skeleton" role="status" aria-label={t('loading')}>
      <i />
      <i />
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}
