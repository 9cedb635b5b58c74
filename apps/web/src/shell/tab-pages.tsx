import { Activity, createElement, lazy, Suspense, useMemo, type ComponentType } from 'react'
import { Route, Routes, useLocation, useNavigate } from 'react-router'
import { useSession } from '#kit/web/session/session.ts'
import { TabContext } from '#kit/web/base/tab.ts'
import { findPageEntry, type PageEntry } from '../modules.ts'
import { useShellTranslation } from '../words/index.ts'
import { PageErrorBoundary } from './page-boundary.tsx'
import { closeOneTab, setTabTitle, tabsToKeepMounted, redrawTab, useOpenTabs, type OpenTab } from './tabs.ts'

const pages = new Map<PageEntry, ComponentType>()
/**
 * Pages loaded before they are shown. They render together with the shell, while a lazy component would always render
 * after it.
 */
const fetched = new Map<PageEntry, ComponentType>()

async function loadResource(entry: Extract<PageEntry, { resource: unknown }>) {
  const [{ ResourcePage }, { resource, intro }] = await Promise.all([
    import('#kit/web/page/resource-page.tsx'),
    entry.resource(),
  ])
  const page = { intro }
  return { default: () => <ResourcePage resource={resource} page={page} /> }
}

const loadPage = (entry: PageEntry): Promise<{ default: ComponentType }> =>
  'page' in entry ? entry.page() : loadResource(entry)

function pageOf(entry: PageEntry): ComponentType {
  const known = pages.get(entry)
  if (known) return known
  const page =
    fetched.get(entry) ??
    lazy(() =>
      loadPage(entry).catch((reason: unknown) => {
        // A failed load is forgotten, so that trying again can succeed.
        pages.delete(entry)
        throw reason
      }),
    )
  pages.set(entry, page)
  return page
}

/**
 * Starts loading the page of an address, before it is known whether the user may open it. Resolves when it is loaded or
 * has failed.
 */
export async function prefetchPage(pathname: string): Promise<void> {
  const entry = findPageEntry(pathname)
  if (!entry) return
  const page = await loadPage(entry).catch(() => undefined)
  if (page) fetched.set(entry, page.default)
}

/** The pages of the open tabs. Hidden ones keep their input and scroll position. */
export function OpenTabPages() {
  const tabs = useOpenTabs()
  const ready = useSession((session) => session.ready)
  const { pathname } = useLocation()
  if (ready !== 'yes') return <PageSkeleton />
  return tabsToKeepMounted(tabs).map((tab) => (
    <Activity key={`${tab.key}#${tab.round}`} mode={tab.key === pathname ? 'visible' : 'hidden'}>
      <TabPage tab={tab} active={tab.key === pathname} />
    </Activity>
  ))
}

function TabPage({ tab, active }: { tab: OpenTab; active: boolean }) {
  const navigate = useNavigate()
  const entry = findPageEntry(tab.key)
  const { key } = tab
  const context = useMemo(
    () => ({
      key,
      active,
      setTitle: (title: string) => setTabTitle(key, title),
      close: () => {
        const to = closeOneTab(key)
        if (to) void navigate(to)
      },
    }),
    [key, active, navigate],
  )
  if (!entry) return null
  return (
    <TabContext value={context}>
      <section className="page-scroll" tabIndex={-1}>
        <PageErrorBoundary onRetry={() => redrawTab(key)}>
          <Suspense fallback={<PageSkeleton />}>
            <Routes location={tab.address}>
              <Route path={entry.path} element={createElement(pageOf(entry))} />
            </Routes>
          </Suspense>
        </PageErrorBoundary>
      </section>
    </TabContext>
  )
}

function PageSkeleton() {
  const t = useShellTranslation()
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
