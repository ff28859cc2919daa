/** How an app signs people in: with a secret, with PKCE, or without a server of its own. */
export type Flow = 'Code' | 'PKCE' | 'Implicit'
