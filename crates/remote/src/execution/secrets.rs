//! Credentials, all from the environment: a token, the certificate of the client, and the certificates that
//! are trusted.

use super::address::OpenError;
use std::fmt;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// The names of the variables.
#[derive(Debug)]
pub(super) struct Names {
    /// A token, which is sent with each request.
    pub token: &'static str,
    /// A file with certificates in PEM, one of which must have signed that of the server.
    pub authority: &'static str,
    /// A file with the certificate of the client in PEM, and those that lead to its authority.
    pub certificate: &'static str,
    /// A file with its key in PEM.
    pub key: &'static str,
}

/// What a server gets to know of the client, and what it must prove.
pub(super) struct Secrets {
    names: &'static Names,
    token: Option<String>,
    authority: Option<Vec<u8>>,
    identity: Option<(Vec<u8>, Vec<u8>)>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").field("names", &self.names).finish_non_exhaustive()
    }
}

impl Secrets {
    /// Reads the variables. Empty ones count as missing.
    ///
    /// # Errors
    /// A file cannot be read, or only one of certificate and key is there.
    pub fn read(names: &'static Names) -> Result<Secrets, OpenError> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let file = |name: &'static str| {
            let read = |path: String| std::fs::read(&path).map_err(|error| format!("'{path}': {error}"));
            let read = variable(name).map(read).transpose();
            read.map_err(|why| OpenError::Certificate { variable: name, why })
        };
        let identity = match (file(names.certificate)?, file(names.key)?) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            (None, Some(_)) => return Err(missing(names.certificate, names.key)),
            (Some(_), None) => return Err(missing(names.key, names.certificate)),
        };
        Ok(Secrets { names, token: variable(names.token), authority: file(names.authority)?, identity })
    }

    /// The settings of TLS.
    ///
    /// # Errors
    /// A file has no certificate.
    pub fn tls(&self) -> Result<ClientTlsConfig, OpenError> {
        let names = self.names;
        let is_pem = |variable: &'static str, bytes: &[u8], what: &str| {
            let has = bytes.windows(what.len()).any(|part| part == what.as_bytes());
            let why = || "the file is not one of PEM".to_owned();
            has.then_some(()).ok_or_else(|| OpenError::Certificate { variable, why: why() })
        };
        let mut tls = ClientTlsConfig::new();
        tls = match &self.authority {
            Some(authority) => {
                is_pem(names.authority, authority, "-----BEGIN CERTIFICATE-----")?;
                tls.ca_certificate(Certificate::from_pem(authority))
            }
            None => tls.with_native_roots(),
        };
        if let Some((certificate, key)) = &self.identity {
            is_pem(names.certificate, certificate, "-----BEGIN CERTIFICATE-----")?;
            is_pem(names.key, key, "PRIVATE KEY-----")?;
            tls = tls.identity(Identity::from_pem(certificate, key));
        }
        Ok(tls)
    }

    /// The header with the token.
    ///
    /// # Errors
    /// It has characters that a header cannot have.
    pub fn header(&self) -> Result<Option<MetadataValue<Ascii>>, OpenError> {
        let header = |token: &String| {
            let header = MetadataValue::try_from(format!("Bearer {token}"));
            let mut header = header.map_err(|_| OpenError::Token(self.names.token))?;
            header.set_sensitive(true);
            Ok(header)
        };
        self.token.as_ref().map(header).transpose()
    }

    /// What no message may contain. A short text would hide parts of other words, and hides nothing.
    pub fn hidden(&self) -> Vec<String> {
        self.token.iter().filter(|token| token.len() >= 4).cloned().collect()
    }
}

fn missing(variable: &'static str, given: &str) -> OpenError {
    OpenError::Certificate { variable, why: format!("{given} is set, and this is not") }
}
