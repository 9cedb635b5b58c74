/** The sign-in page, and the addresses third parties send people back to. */
export const isLoginPath = (pathname: string) => pathname === '/login' || pathname.startsWith('/oauth/redirect/')

/** The sign-in page that afterwards leads to an address. */
export const loginPathReturningTo = (address: string) =>
  /^\/(wel(\/index)?)?$/.test(address) ? '/login' : `/login?redirect=${encodeURIComponent(address)}`

/** Where to go after signing in: only ever inside this application. */
export function pathAfterLogin(search: string) {
  const to = new URLSearchParams(search).get('redirect') ?? '/'
  return /^\/(?![/\\])/.test(to) && !isLoginPath(to) ? to : '/'
}

/** What a third party handed over on the way back, if that is where the visitor comes from. */
export function parseOauthCallback(pathname: string, search: string) {
  const query = new URLSearchParams(search)
  const code = query.get('code')
  const state = query.get('state')
  if (!code || !state) return undefined
  const source = query.get('source') ?? /^\/oauth\/redirect\/([\w-]+)/.exec(pathname)?.[1]
  return { code, state, source }
}
