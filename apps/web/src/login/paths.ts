/** Returns whether a path is the sign-in page or a callback of third-party sign-in, which shows it too. */
export const isLoginPath = (pathname: string) => pathname === '/login' || pathname.startsWith('/oauth/redirect/')

/** Returns the address of the sign-in page that leads back to `address` afterwards. */
export const loginPathReturningTo = (address: string) =>
  /^\/(wel(\/index)?)?$/.test(address) ? '/login' : `/login?redirect=${encodeURIComponent(address)}`

/** Returns where to go after signing in; only paths inside this application, otherwise "/". */
export function pathAfterLogin(search: string) {
  const to = new URLSearchParams(search).get('redirect') ?? '/'
  return /^\/(?![/\\])/.test(to) && !isLoginPath(to) ? to : '/'
}

/** Returns the code and state a third party put into the callback address; undefined without them. */
export function parseOauthCallback(pathname: string, search: string) {
  const query = new URLSearchParams(search)
  const code = query.get('code')
  const state = query.get('state')
  if (!code || !state) return undefined
  const source = query.get('source') ?? /^\/oauth\/redirect\/([\w-]+)/.exec(pathname)?.[1]
  return { code, state, source }
}
