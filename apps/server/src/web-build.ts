/** Where nothing is built, as in tests and under `node main.ts`, the existing build is served. */
let building: Promise<boolean> = Promise.resolve(true)

/**
 * Sets the build of the browser app (scripts/build-web.ts) that nothing is served before. It runs in parallel with the
 * start of the database and the demo data.
 */
export const registerWebBuild = (build: Promise<boolean>): void => void (building = build)

/** Resolves to true when the browser app is built, to false when that failed. */
export const waitForWebBuild = (): Promise<boolean> => building
