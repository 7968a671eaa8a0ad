// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Life of a claim. `NONE` is the state of an id that was never registered. A `CLOSED` one is partially funded,
/// and its issuer lets nobody finance the rest.
enum ClaimState {
    NONE,
    ELIGIBLE,
    PARTIALLY_FUNDED,
    FULLY_FUNDED,
    SETTLED,
    REVOKED,
    CLOSED
}

/// @notice Attestation of a claim, which its issuer signs (EIP-712).
/// @param beneficiary Account that may finance the claim, and that receives the part of each payment no vault financed.
/// @param faceValue Base units of `token`, 1 to 2^128 - 1.
/// @param dueDate Unix seconds.
/// @param claimType 0 to 255.
/// @param documentHash Hash of the underlying document; an issuer has at most one claim on it that is not revoked.
/// @param validUntil Last second (Unix) at which the attestation may be registered.
struct ClaimAttestation {
    address issuer;
    address beneficiary;
    address token;
    uint256 faceValue;
    uint64 dueDate;
    uint8 claimType;
    bytes32 documentHash;
    uint64 validUntil;
}

/// @notice Answers of a token when it was first listed. Texts are empty where it gave none.
/// @param known Whether the token was ever listed.
/// @param decimals 0 to 36.
/// @param symbol At most 64 bytes.
/// @param name At most 64 bytes.
struct TokenMetadata {
    bool known;
    uint8 decimals;
    string symbol;
    string name;
}

/// @notice A registered claim on a future payment of `faceValue` base units of `token`, due at `dueDate` (Unix
/// seconds).
/// @param financedFaceValue Sum of the slices, base units.
/// @param paidFaceValue Sum of the payments, base units.
/// @param sliceCount At most `MAX_SLICES_PER_CLAIM`.
struct Claim {
    address issuer;
    address beneficiary;
    address token;
    uint256 faceValue;
    uint256 financedFaceValue;
    uint256 paidFaceValue;
    uint64 dueDate;
    uint8 claimType;
    uint8 sliceCount;
    ClaimState state;
}

/// @notice The part of a claim's face that one vault financed, and what it paid for it, in base units.
struct Allocation {
    address vault;
    uint256 faceAmount;
    uint256 advanceAmount;
}

/// @notice Limits of the claims that a vault finances. Claim type t is supported when bit t of the bitmap is set.
/// @param minDurationDays Least whole days from the financing to the due date, rounded down as for the price: a claim
/// is due at least this many times 86,400 seconds later.
/// @param maxDurationDays Most whole days from the financing to the due date, rounded down.
/// @param minFace Smallest face of a slice, base units, at least 1.
/// @param maxFace Largest face of a slice, base units, at least `minFace`.
/// @param maxClaimFace Largest sum of the slices of one claim, base units, at least `minFace`. 8 times
/// `maxFace` limits nothing more.
/// @param maxIssuerFace Largest face that all claims of one issuer owe the vault, base units, at least `minFace`. The
/// largest value of the type is no limit. An issuer is an address: a debtor with two of them has the limit twice.
struct Mandate {
    uint256 supportedTypesBitmap;
    uint32 minDurationDays;
    uint32 maxDurationDays;
    uint256 minFace;
    uint256 maxFace;
    uint256 maxClaimFace;
    uint256 maxIssuerFace;
}

/// @notice Discount in basis points of face value: `baseDiscountBps + durationBpsPerDay * daysToDue +
/// premiumBps[claimType]`. Days are rounded down. A premium beyond the end of the list is 0.
/// @param premiumBps At most 256 entries.
struct Pricing {
    uint16 baseDiscountBps;
    uint16 durationBpsPerDay;
    uint16[] premiumBps;
}

/// @notice Mandate and pricing of a vault.
struct Terms {
    Mandate mandate;
    Pricing pricing;
}

/// @notice The values with which the registry creates a vault.
/// @param noticePeriod Seconds between the submission of terms and the time from which they can take effect.
struct VaultSetup {
    IERC20 token;
    string name;
    string symbol;
    address curator;
    uint32 noticePeriod;
    Terms terms;
}

/// @notice Why a vault refuses a quote.
enum QuoteReason {
    NONE,
    CLAIM_NOT_FINANCEABLE,
    CLAIM_PAST_DUE,
    TOKEN_MISMATCH,
    TYPE_NOT_SUPPORTED,
    DURATION_BELOW_MINIMUM,
    DURATION_EXCEEDED,
    BELOW_MINIMUM_LOT,
    ABOVE_MAXIMUM_LOT,
    FACE_EXCEEDS_REMAINING,
    ABOVE_MAXIMUM_CLAIM_FACE,
    ABOVE_MAXIMUM_ISSUER_FACE
}

/// @notice One leg of a route: `faceAmount` of `claimId` financed by `vault` for at least `minimumAdvanceAmount`, both
/// in base units.
struct RouteLeg {
    bytes32 claimId;
    address vault;
    uint256 faceAmount;
    uint256 minimumAdvanceAmount;
}

/// @notice Route that its user signs (EIP-712).
/// @param legs 1 to 8 legs, of different claims of the user.
/// @param token Token of every claim of the route. Wallets show the amounts in its decimals.
/// @param targetAdvance Least sum of the advances, base units.
/// @param maxTotalFace Largest sum of the faces, base units.
/// @param nonce Next nonce of the user at the router.
/// @param deadline Last second (Unix) at which the route may be executed, at most 3600 s after the execution.
struct ExecutionRoute {
    address user;
    address token;
    RouteLeg[] legs;
    uint256 targetAdvance;
    uint256 maxTotalFace;
    uint256 nonce;
    uint256 deadline;
}

/// @notice Who administers a contract from its deployment on. The roles are separate, so different accounts can hold
/// them.
/// @param adminDelay Seconds between the two steps by which the administrator changes.
/// @param admin First administrator, who grants and revokes the role of the contract.
/// @param manager First holder of the role of the contract.
struct Administration {
    uint48 adminDelay;
    address admin;
    address manager;
}

/// @notice How an execution came about: a signed route, or a direct call of the beneficiary.
enum ExecutionKind {
    ROUTE,
    DIRECT
}

uint8 constant MAX_SLICES_PER_CLAIM = 8;
uint256 constant MAX_PREMIUMS = 256;
uint256 constant BPS_DENOMINATOR = 10_000;
uint256 constant SECONDS_PER_DAY = 86_400;
